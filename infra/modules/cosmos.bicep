// The account, its three containers, and who may do what with them. Keys are off, so that there is none to leak.
param name string
param location string
param utilizationThroughput int
param packagesThroughput int
param servicesPrincipalId string
param seedPrincipalId string

resource account 'Microsoft.DocumentDB/databaseAccounts@2024-11-15' = {
  name: name
  location: location
  kind: 'GlobalDocumentDB'
  properties: {
    databaseAccountOfferType: 'Standard'
    locations: [
      {
        locationName: location
        failoverPriority: 0
        isZoneRedundant: false
      }
    ]
    consistencyPolicy: {
      defaultConsistencyLevel: 'Session'
    }
    disableLocalAuth: true
    minimalTlsVersion: 'Tls12'
    // Throughput saved for later blurs the second in which a limit is reached. The scenarios assume a little; try it both ways.
    enableBurstCapacity: false
  }
}

resource database 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases@2024-11-15' = {
  parent: account
  name: 'invoicing'
  properties: {
    resource: {
      id: 'invoicing'
    }
  }
}

// About RU/s / 6,000 physical partitions at creation, which stay when the throughput is lowered.
var containers = [
  {
    id: 'utilization'
    partitionKeyPath: '/deliveryId'
    throughput: utilizationThroughput
  }
  {
    id: 'utilization-by-owner'
    partitionKeyPath: '/ownerId'
    throughput: utilizationThroughput
  }
  {
    id: 'packages'
    partitionKeyPath: '/ownerId'
    throughput: packagesThroughput
  }
]

resource container 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-11-15' = [
  for one in containers: {
    parent: database
    name: one.id
    properties: {
      resource: {
        id: one.id
        partitionKey: {
          paths: [
            one.partitionKeyPath
          ]
          kind: 'Hash'
          version: 2
        }
      }
      options: {
        throughput: one.throughput
      }
    }
  }
]

// Roles for data are Cosmos DB's own: 1 reads, 2 reads and writes.
resource servicesRead 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2024-11-15' = {
  parent: account
  name: guid(account.id, servicesPrincipalId, 'reader')
  properties: {
    principalId: servicesPrincipalId
    roleDefinitionId: '${account.id}/sqlRoleDefinitions/00000000-0000-0000-0000-000000000001'
    scope: account.id
  }
}

resource seedWrites 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2024-11-15' = {
  parent: account
  name: guid(account.id, seedPrincipalId, 'contributor')
  properties: {
    principalId: seedPrincipalId
    roleDefinitionId: '${account.id}/sqlRoleDefinitions/00000000-0000-0000-0000-000000000002'
    scope: account.id
  }
}

// Throughput is set through Azure Resource Manager. Cosmos DB Operator may do that, and may not see keys.
var cosmosDbOperator = '230815da-be43-4aae-9cb4-875f7bd000aa'

resource seedOperates 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  scope: account
  name: guid(account.id, seedPrincipalId, cosmosDbOperator)
  properties: {
    principalId: seedPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', cosmosDbOperator)
  }
}

output endpoint string = 'https://${account.name}.documents.azure.com'
output resourceId string = account.id
