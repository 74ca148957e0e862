// Who the pods are in Azure. Services read data; the seed writes it and sets throughput. What each may do is given where it does it.
param name string
param location string

resource services 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: '${name}-services'
  location: location
}

resource seed 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: '${name}-seed'
  location: location
}

output servicesName string = services.name
output servicesClientId string = services.properties.clientId
output servicesPrincipalId string = services.properties.principalId
output seedName string = seed.name
output seedClientId string = seed.properties.clientId
output seedPrincipalId string = seed.properties.principalId
