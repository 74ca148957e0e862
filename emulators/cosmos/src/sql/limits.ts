/**
 * Bounds that keep a query from exhausting the process. The first two are documented service limits
 * (Azure Cosmos DB service quotas, "SQL query limits"); the others are this engine's own.
 */
export const MAX_QUERY_LENGTH = 512 * 1024;
export const MAX_JOINS = 10;
/** Nested expressions, parentheses and subqueries. */
export const MAX_NESTING = 200;
/** Documents may nest 128 levels; parameters and parsed strings follow the same rule. */
export const MAX_VALUE_NESTING = 128;
/** TOP, OFFSET and LIMIT are 32-bit in the service. */
export const MAX_ROW_COUNT = 2_147_483_647;
