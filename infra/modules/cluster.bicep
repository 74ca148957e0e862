// The cluster: workload identity, network policies that are enforced, logs of the lab's namespace only, no local accounts.
param name string
param location string
param nodeSize string
param nodeCount int
param namespace string
param workspaceId string
param registryName string
param adminPrincipalId string
param servicesIdentityName string
param seedIdentityName string

resource cluster 'Microsoft.ContainerService/managedClusters@2024-09-01' = {
  name: '${name}-aks'
  location: location
  sku: {
    name: 'Base'
    tier: 'Free'
  }
  identity: {
    type: 'SystemAssigned'
  }
  properties: {
    dnsPrefix: name
    disableLocalAccounts: true
    aadProfile: {
      managed: true
      enableAzureRBAC: true
    }
    agentPoolProfiles: [
      {
        name: 'system'
        mode: 'System'
        count: nodeCount
        vmSize: nodeSize
        osType: 'Linux'
        osSKU: 'AzureLinux'
        type: 'VirtualMachineScaleSets'
      }
    ]
    networkProfile: {
      networkPlugin: 'azure'
      networkPluginMode: 'overlay'
      networkDataplane: 'cilium'
      networkPolicy: 'cilium'
    }
    oidcIssuerProfile: {
      enabled: true
    }
    securityProfile: {
      workloadIdentity: {
        enabled: true
      }
    }
    addonProfiles: {
      omsagent: {
        enabled: true
        config: {
          logAnalyticsWorkspaceResourceID: workspaceId
          useAADAuth: 'true'
        }
      }
    }
  }
}

// What the add-on collects: the inventory, performance and logs of one namespace, once a minute.
resource collection 'Microsoft.Insights/dataCollectionRules@2022-06-01' = {
  name: '${name}-containers'
  location: location
  kind: 'Linux'
  properties: {
    dataSources: {
      extensions: [
        {
          name: 'ContainerInsightsExtension'
          extensionName: 'ContainerInsights'
          streams: [
            'Microsoft-ContainerInsights-Group-Default'
          ]
          extensionSettings: {
            dataCollectionSettings: {
              interval: '1m'
              namespaceFilteringMode: 'Include'
              namespaces: [
                namespace
              ]
              enableContainerLogV2: true
            }
          }
        }
      ]
    }
    destinations: {
      logAnalytics: [
        {
          name: 'workspace'
          workspaceResourceId: workspaceId
        }
      ]
    }
    dataFlows: [
      {
        streams: [
          'Microsoft-ContainerInsights-Group-Default'
        ]
        destinations: [
          'workspace'
        ]
      }
    ]
  }
}

resource collectionOfCluster 'Microsoft.Insights/dataCollectionRuleAssociations@2022-06-01' = {
  scope: cluster
  name: 'ContainerInsightsExtension'
  properties: {
    dataCollectionRuleId: collection.id
  }
}

resource registry 'Microsoft.ContainerRegistry/registries@2023-07-01' existing = {
  name: registryName
}

var acrPull = '7f951dda-4ed3-4680-a7ca-43fe172d538d'

resource nodesPull 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  scope: registry
  name: guid(registry.id, cluster.id, acrPull)
  properties: {
    principalId: cluster.properties.identityProfile.kubeletidentity.objectId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', acrPull)
  }
}

var clusterAdmin = 'b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b'

resource adminUses 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  scope: cluster
  name: guid(cluster.id, adminPrincipalId, clusterAdmin)
  properties: {
    principalId: adminPrincipalId
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', clusterAdmin)
  }
}

// A service account of the cluster is an identity of Azure, by the token that the cluster signs for it.
resource services 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' existing = {
  name: servicesIdentityName
}

resource seed 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' existing = {
  name: seedIdentityName
}

// One after another: an identity takes one such change at a time.
@batchSize(1)
resource servicesAccounts 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials@2023-01-31' = [
  for account in ['bottleneck-lab-package', 'bottleneck-lab-drone-utilization']: {
    parent: services
    name: account
    properties: {
      issuer: cluster.properties.oidcIssuerProfile.issuerURL
      subject: 'system:serviceaccount:${namespace}:${account}'
      audiences: [
        'api://AzureADTokenExchange'
      ]
    }
  }
]

resource seedAccount 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials@2023-01-31' = {
  parent: seed
  name: 'bottleneck-lab-seed'
  properties: {
    issuer: cluster.properties.oidcIssuerProfile.issuerURL
    subject: 'system:serviceaccount:${namespace}:bottleneck-lab-seed'
    audiences: [
      'api://AzureADTokenExchange'
    ]
  }
}

output name string = cluster.name
