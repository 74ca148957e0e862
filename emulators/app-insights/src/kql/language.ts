import { createRequire } from 'node:module';
import type { Column } from './types.js';

/**
 * The part of @kusto/language-service-next that the engine uses, typed by hand. The package's own declarations are global, 1.8 MB, and do
 * not pass the compiler, and its entry file alone throws: it expects its runtime (bridge) as a global first.
 */
export interface RawNode {
  readonly Kind: number;
  readonly ChildCount: number;
  GetChild(index: number): RawNode | null;
  GetName?(index: number): string;
  readonly TextStart: number;
  readonly Width: number;
  readonly IsToken: boolean;
  readonly IsMissing: boolean;
  readonly Text?: string;
  readonly LiteralValue?: unknown;
  readonly Value?: unknown;
  readonly ResultType?: RawType | null;
  readonly ReferencedSymbol?: RawSymbol | null;
  readonly Element$1?: RawNode;
}

export interface RawSymbol {
  readonly Name: string;
  readonly constructor: { readonly $$name?: string };
}

export interface RawType extends RawSymbol {
  readonly IsTabular: boolean;
  readonly IsScalar: boolean;
  readonly Columns?: RawList<{ readonly Name: string; readonly Type: RawSymbol }>;
}

export interface RawList<T> {
  readonly Count: number;
  getItem(index: number): T;
}

export interface RawDiagnostic {
  readonly Code: string;
  readonly Severity: string;
  readonly Message: string;
  readonly Start: number;
  readonly Length: number;
}

export interface RawCode {
  readonly Syntax: RawNode;
  readonly ResultType: RawType | null;
  GetDiagnostics(): RawList<RawDiagnostic>;
  GetSyntaxDiagnostics(): RawList<RawDiagnostic>;
}

interface RawCompletionItem {
  readonly Kind: number;
  readonly DisplayText: string;
  readonly EditText: string;
}

interface RawCompletionInfo {
  readonly EditStart: number;
  readonly EditLength: number;
  readonly Items: RawList<RawCompletionItem>;
}

declare const globalsOpaque: unique symbol;
/** A schema in the service's own form. */
export interface RawGlobals {
  readonly [globalsOpaque]: true;
}

interface Service {
  readonly Kusto: {
    readonly Language: {
      readonly KustoCode: {
        Parse(text: string, globals: RawGlobals): { Analyze(globals: RawGlobals, token: unknown): RawCode };
      };
      readonly Utils: {
        readonly CancellationToken: { readonly $ctor1: new (isCancelled: () => boolean) => unknown };
      };
      readonly GlobalState: { readonly Default: { WithDatabase(database: unknown): RawGlobals } };
      readonly Symbols: {
        readonly DatabaseSymbol: { readonly ctor: new (name: string, members: unknown[]) => unknown };
        readonly TableSymbol: {
          readonly $ctor7: new (name: string, schema: string, description: null) => unknown;
        };
      };
      readonly Syntax: { readonly SyntaxKind: unknown };
      readonly Binding: {
        readonly Binder: { GetExpressionResultName(expression: RawNode, defaultName: string): string };
      };
      readonly Editor: {
        readonly CompletionKind: unknown;
        readonly KustoCodeService: {
          readonly $ctor1: new (
            text: string,
            globals: RawGlobals,
          ) => { GetCompletionItems(position: number): RawCompletionInfo };
        };
      };
    };
  };
  readonly System: { readonly Enum: { toString(type: unknown, value: number): string } };
}

let loaded: Service | undefined;

/** Loads the service on first use: about 0.2 s and 100 MB. It leaves the globals `Bridge`, `System` and `Kusto` behind. */
function service(): Service {
  if (loaded === undefined) {
    const require = createRequire(import.meta.url);
    require('@kusto/language-service-next/bridge.min.js');
    require('@kusto/language-service-next/Kusto.Language.Bridge.min.js');
    loaded = globalThis as unknown as Service;
  }
  return loaded;
}

const kindNames = new Map<number, string>();

/** Name of a syntax kind: `FilterOperator`, `EqualExpression`, ... */
export function kindName(node: RawNode): string {
  let name = kindNames.get(node.Kind);
  if (name === undefined) {
    const { Kusto, System } = service();
    name = System.Enum.toString(Kusto.Language.Syntax.SyntaxKind, node.Kind);
    kindNames.set(node.Kind, name);
  }
  return name;
}

export function describeSchema(schema: Readonly<Record<string, readonly Column[]>>): RawGlobals {
  const { GlobalState, Symbols } = service().Kusto.Language;
  const tables = Object.entries(schema).map(([table, columns]) => {
    const text = columns.map((c) => `${quotedName(c.name)}:${c.type}`).join(',');
    return new Symbols.TableSymbol.$ctor7(table, `(${text})`, null);
  });
  return GlobalState.Default.WithDatabase(new Symbols.DatabaseSymbol.ctor('telemetry', tables));
}

function quotedName(name: string): string {
  return `['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
}

/** Thrown by `parse` when `isCancelled` said so. */
export class AnalysisCancelled extends Error {}

/**
 * Parses and analyses. `isCancelled` is asked often, at every node: functions and unions that refer to each other can make the analysis of a
 * short text take for ever.
 */
export function parse(text: string, globals: RawGlobals, isCancelled: () => boolean): RawCode {
  const { KustoCode, Utils } = service().Kusto.Language;
  const token = new Utils.CancellationToken.$ctor1(isCancelled);
  try {
    return KustoCode.Parse(text, globals).Analyze(globals, token);
  } catch (error) {
    const className = (error as object).constructor as { $$name?: string };
    if (className.$$name === 'System.OperationCanceledException') throw new AnalysisCancelled('cancelled');
    throw error;
  }
}

/** The column name that Kusto derives from an unnamed expression; '' when it derives none. */
export function derivedName(node: RawNode): string {
  return service().Kusto.Language.Binding.Binder.GetExpressionResultName(node, '') ?? '';
}

export function completions(
  text: string,
  position: number,
  globals: RawGlobals,
): { start: number; length: number; items: { kind: string; label: string; text: string }[] } {
  const { Kusto, System } = service();
  const { Editor } = Kusto.Language;
  const info = new Editor.KustoCodeService.$ctor1(text, globals).GetCompletionItems(position);
  return {
    start: info.EditStart,
    length: info.EditLength,
    items: list(info.Items).map((item) => ({
      kind: System.Enum.toString(Editor.CompletionKind, item.Kind),
      label: item.DisplayText,
      text: item.EditText,
    })),
  };
}

export function list<T>(raw: RawList<T>): T[] {
  return Array.from({ length: raw.Count }, (_, i) => raw.getItem(i));
}
