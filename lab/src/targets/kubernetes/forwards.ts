import type { StackFailure } from '../../stack/stack-status.js';
import type { Kubectl, PortForward } from './kubectl.js';

/** Forwarded ports that are kept for as long as what they lead to. */
export interface Forwards {
  /** The forward to a resource's port, a new one if there is none. */
  to(resource: string, port: number): Promise<PortForward>;
  /** Closes those to pods that are not among these. */
  keepPods(names: readonly string[]): void;
  pids(): number[];
  /** Resolves when one breaks that nobody closed. */
  failed(): Promise<StackFailure>;
  closeAll(): void;
}

export function createForwards(kubectl: Kubectl): Forwards {
  const open = new Map<string, PortForward>();
  let fail: (failure: StackFailure) => void = () => {};
  const failed = new Promise<StackFailure>((resolve) => {
    fail = resolve;
  });
  const close = (resource: string) => {
    open.get(resource)?.close();
    open.delete(resource);
  };
  return {
    async to(resource, port) {
      const known = open.get(resource);
      if (known !== undefined) return known;
      const forward = await kubectl.forward(resource, port);
      open.set(resource, forward);
      void forward.broken.then((reason) => {
        open.delete(resource);
        fail({
          process: `the way to ${resource}`,
          instance: `port-forward, ${kubectl.place}`,
          description: `broke: ${reason.split('\n').at(-1)}`,
          lastLines: reason.split('\n'),
          log: `kubectl logs ${resource}`,
        });
      });
      return forward;
    },
    keepPods(names) {
      const wanted = new Set(names.map((name) => `pod/${name}`));
      for (const resource of [...open.keys()]) {
        if (resource.startsWith('pod/') && !wanted.has(resource)) close(resource);
      }
    },
    pids: () => [...open.values()].map(({ pid }) => pid),
    failed: () => failed,
    closeAll() {
      for (const resource of [...open.keys()]) close(resource);
    },
  };
}
