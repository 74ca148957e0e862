import type { Column, KqlType } from './kql/index.js';

/**
 * The tables of an Application Insights resource that this stand-in keeps, with names and types as in
 * "Azure Monitor Logs reference" (classic Application Insights names). Rows are positional in this order.
 */

const columns = (text: string): Column[] =>
  text
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [name, type] = entry.split(':') as [string, KqlType];
      return { name, type };
    });

/** Columns that end every table: where the item comes from and which operation it belongs to. */
export const CONTEXT_COLUMNS = columns(`
  operation_Name:string operation_Id:string operation_ParentId:string operation_SyntheticSource:string
  session_Id:string user_Id:string user_AuthenticatedId:string user_AccountId:string application_Version:string
  client_Type:string client_Model:string client_OS:string client_IP:string client_City:string
  client_StateOrProvince:string client_CountryOrRegion:string client_Browser:string
  cloud_RoleName:string cloud_RoleInstance:string appId:string appName:string iKey:string sdkVersion:string
  itemId:string itemCount:int`);

const CUSTOM = 'itemType:string customDimensions:dynamic customMeasurements:dynamic';

const table = (own: string): readonly Column[] => Object.freeze([...columns(own), ...CONTEXT_COLUMNS]);

export const TABLES = Object.freeze({
  requests: table(`timestamp:datetime id:string source:string name:string url:string success:string
    resultCode:string duration:real performanceBucket:string ${CUSTOM}`),
  dependencies: table(`timestamp:datetime id:string target:string type:string name:string data:string
    success:string resultCode:string duration:real performanceBucket:string ${CUSTOM}`),
  traces: table(`timestamp:datetime message:string severityLevel:int ${CUSTOM}`),
  exceptions: table(`timestamp:datetime problemId:string handledAt:string type:string message:string
    assembly:string method:string outerType:string outerMessage:string outerAssembly:string outerMethod:string
    innermostType:string innermostMessage:string innermostAssembly:string innermostMethod:string
    severityLevel:int details:dynamic ${CUSTOM}`),
  customEvents: table(`timestamp:datetime name:string ${CUSTOM}`),
  customMetrics: table(`timestamp:datetime name:string value:real valueCount:int valueSum:real valueMin:real
    valueMax:real valueStdDev:real itemType:string customDimensions:dynamic`),
  performanceCounters: table(`timestamp:datetime name:string category:string counter:string instance:string
    value:real itemType:string customDimensions:dynamic`),
  availabilityResults: table(`timestamp:datetime id:string name:string location:string success:string
    message:string duration:real performanceBucket:string size:real ${CUSTOM}`),
  pageViews: table(`timestamp:datetime id:string name:string url:string duration:real
    performanceBucket:string ${CUSTOM}`),
});

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** Position of a column in a table's rows. Throws for a name that the table does not have. */
export function columnIndex(tableName: TableName, columnName: string): number {
  const index = TABLES[tableName].findIndex((column) => column.name === columnName);
  if (index < 0) throw new Error(`table ${tableName} has no column ${columnName}`);
  return index;
}
