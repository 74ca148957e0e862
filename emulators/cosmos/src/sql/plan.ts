type SortOrder = 'Ascending' | 'Descending';
export type AggregateType = 'Average' | 'Count' | 'Max' | 'Min' | 'Sum';

/** The `queryInfo` of a query plan, in the names and values the SDKs read. */
export interface QueryInfo {
  readonly distinctType: 'None' | 'Ordered' | 'Unordered';
  readonly top: number | null;
  readonly offset: number | null;
  readonly limit: number | null;
  readonly orderBy: readonly SortOrder[];
  readonly orderByExpressions: readonly string[];
  readonly groupByExpressions: readonly string[];
  readonly groupByAliases: readonly string[];
  readonly aggregates: readonly AggregateType[];
  readonly groupByAliasToAggregateType: Readonly<Record<string, AggregateType | null>>;
  /** The query each partition is sent instead of the original; empty: the original. */
  readonly rewrittenQuery: string;
  readonly hasSelectValue: boolean;
  readonly dCountInfo: null;
  readonly hasNonStreamingOrderBy: boolean;
}
