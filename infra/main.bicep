// Everything that the lab needs in Azure, in one resource group: az deployment group create -g GROUP -f infra/main.bicep
// docs/azure.md tells the whole way, what it costs, and how to get rid of it again.
targetScope = 'resourceGroup'

@description('Begins the name of every resource: lower-case letters and digits.')
@minLength(3)
@maxLength(12)
param name string = 'bnlab'

@description('Region. All resources are in one, so that a query of the database stays within a data centre.')
param location string = resourceGroup().location

@description('Object id of who deploys: may use the cluster and read the telemetry. az ad signed-in-user show --query id -o tsv')
param adminPrincipalId string

@description('Namespace of the release in the cluster; part of what identities are for.')
param namespace string = 'bottleneck-lab'

@description('RU/s of each utilization container. 54,000 at their creation makes nine physical partitions; the seed Job lowers it. When you deploy again over existing containers, pass what they have now.')
@minValue(400)
param utilizationThroughput int = 54000

@description('RU/s of the packages container; 40,000 let its data be written quickly.')
@minValue(400)
param packagesThroughput int = 40000

@description('Size of a node. Four cores: a pod of delivery that reaches its limit must not meet that of its node.')
param nodeSize string = 'Standard_D4s_v5'

@minValue(1)
@maxValue(10)
param nodeCount int = 2

@description('Most that a day of telemetry may bring in, GB.')
param dailyCapGb int = 1

@description('Monthly budget in the currency of the subscription, and who is told; nobody, no budget.')
param budgetAmount int = 50
param budgetEmails array = []

@description('First day of a month; budgets begin with one.')
param budgetStart string = utcNow('yyyy-MM-01')

// Names of registries and accounts are global.
var unique = take(uniqueString(resourceGroup().id), 6)

module identities 'modules/identities.bicep' = {
  name: 'identities'
  params: {
    name: name
    location: location
  }
}

module monitoring 'modules/monitoring.bicep' = {
  name: 'monitoring'
  params: {
    name: name
    location: location
    dailyCapGb: dailyCapGb
  }
}

module cosmos 'modules/cosmos.bicep' = {
  name: 'cosmos'
  params: {
    name: '${name}-${unique}'
    location: location
    utilizationThroughput: utilizationThroughput
    packagesThroughput: packagesThroughput
    servicesPrincipalId: identities.outputs.servicesPrincipalId
    seedPrincipalId: identities.outputs.seedPrincipalId
  }
}

module registry 'modules/registry.bicep' = {
  name: 'registry'
  params: {
    name: '${name}${unique}'
    location: location
  }
}

module cluster 'modules/cluster.bicep' = {
  name: 'cluster'
  params: {
    name: name
    location: location
    nodeSize: nodeSize
    nodeCount: nodeCount
    namespace: namespace
    workspaceId: monitoring.outputs.workspaceId
    registryName: registry.outputs.name
    adminPrincipalId: adminPrincipalId
    servicesIdentityName: identities.outputs.servicesName
    seedIdentityName: identities.outputs.seedName
  }
}

module budget 'modules/budget.bicep' = if (!empty(budgetEmails)) {
  name: 'budget'
  params: {
    name: name
    amount: budgetAmount
    emails: budgetEmails
    startDate: budgetStart
  }
}

// None of these is a secret: there are no keys, and the rest is fetched when it is needed.
output clusterName string = cluster.outputs.name
output registryLoginServer string = registry.outputs.loginServer
output cosmosEndpoint string = cosmos.outputs.endpoint
output cosmosResourceId string = cosmos.outputs.resourceId
output servicesClientId string = identities.outputs.servicesClientId
output seedClientId string = identities.outputs.seedClientId
output applicationInsightsName string = monitoring.outputs.applicationInsightsName
