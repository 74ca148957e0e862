// Application Insights on a Log Analytics workspace, and the workbook with the charts of the four tests.
param name string
param location string
param dailyCapGb int

resource workspace 'Microsoft.OperationalInsights/workspaces@2023-09-01' = {
  name: '${name}-logs'
  location: location
  properties: {
    sku: {
      name: 'PerGB2018'
    }
    retentionInDays: 30
    workspaceCapping: {
      dailyQuotaGb: dailyCapGb
    }
  }
}

resource applicationInsights 'Microsoft.Insights/components@2020-02-02' = {
  name: '${name}-insights'
  location: location
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: workspace.id
    IngestionMode: 'LogAnalytics'
  }
}

resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid(resourceGroup().id, 'bottleneck-lab-workbook')
  location: location
  kind: 'shared'
  properties: {
    displayName: 'Where is the bottleneck?'
    category: 'workbook'
    sourceId: applicationInsights.id
    serializedData: loadTextContent('../workbook.json')
  }
}

output workspaceId string = workspace.id
output applicationInsightsName string = applicationInsights.name
