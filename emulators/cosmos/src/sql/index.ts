/** The SQL dialect of Azure Cosmos DB for NoSQL: parser, evaluator over JSON documents, query planner. */
export type { Query } from './ast.js';
export { type CompiledQuery, type CompileOptions, compileQuery } from './compiled-query.js';
export { describeQuery, type QueryDescription } from './description.js';
export { SqlError, type SqlErrorCode } from './errors.js';
export type { EqualityFilter } from './filters.js';
export type { AggregateType, QueryInfo, SortOrder } from './plan.js';
export { parseQuery, QueryCache } from './query-cache.js';
export type { QueryParameter } from './template.js';
