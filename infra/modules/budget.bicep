// Tells somebody before it is expensive. It stops nothing: deleting the resource group does.
param name string
param amount int
param emails array
param startDate string

resource budget 'Microsoft.Consumption/budgets@2023-11-01' = {
  name: '${name}-budget'
  properties: {
    category: 'Cost'
    amount: amount
    timeGrain: 'Monthly'
    timePeriod: {
      startDate: startDate
    }
    notifications: {
      actualAbove80Percent: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 80
        thresholdType: 'Actual'
        contactEmails: emails
      }
      forecastAbove100Percent: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 100
        thresholdType: 'Forecasted'
        contactEmails: emails
      }
    }
  }
}
