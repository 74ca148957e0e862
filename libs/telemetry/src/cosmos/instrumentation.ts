import { ClientRequest } from 'node:http';
import { InstrumentationBase, InstrumentationNodeModuleDefinition } from '@opentelemetry/instrumentation';
import { CosmosSpans } from './cosmos-spans.js';

/** What `node:http` and `node:https` have in common for a client. */
interface HttpModule {
  request: (...args: unknown[]) => unknown;
}

const MODULES = ['http', 'https'];

/**
 * Follows the requests of the Cosmos DB SDK, and no others, to their end. The http instrumentation would see them as well, at three times the
 * CPU time: it binds emitters to contexts, takes URLs apart and keeps histograms for each of nine queries of an operation.
 */
export class CosmosInstrumentation extends InstrumentationBase {
  constructor() {
    super('bottleneck-lab.cosmos', '1.0.0', {});
  }

  override init(): InstrumentationNodeModuleDefinition[] {
    const spans = new CosmosSpans();
    const follow = (original: HttpModule['request']) =>
      function request(this: unknown, ...args: unknown[]) {
        const made = original.apply(this, args);
        if (made instanceof ClientRequest) spans.follow(made);
        return made;
      };
    return MODULES.map(
      (name) =>
        new InstrumentationNodeModuleDefinition(
          name,
          ['*'],
          (module: HttpModule) => {
            this._wrap(module, 'request', follow);
            return module;
          },
          (module?: HttpModule) => {
            if (module !== undefined) this._unwrap(module, 'request');
          },
        ),
    );
  }
}
