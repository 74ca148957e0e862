/** The SQL dialect of Azure Cosmos DB for NoSQL: parser, evaluator over JSON documents, query planner. */
export type { Query } from './ast.js';
export { type CompiledQuery, type CompileOptions, compileQuery } from './compiled-query.js';
export { describeQuery, type QueryDescription } from './description.js';
export { SqlError } from './errors.js';
export type { QueryInfo } from './plan.js';
export { parseQuery, QueryCache } from './query-cache.js';
export type { QueryParameter } from './template.js';
