import http from 'node:http';
import type { Express } from 'express';

type MessageClasses = Required<Pick<http.ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/**
 * Classes for {@link http.createServer} whose objects are of the kind that `app` makes of each request and response by changing their
 * prototypes. Changing the prototype of an object in use takes it off V8's fast paths for the rest of its life, which more than halves
 * what a process can answer. An object born with the prototype is left alone.
 */
export function messageClasses(app: Express): MessageClasses {
  class IncomingMessage extends http.IncomingMessage {}
  class ServerResponse<
    R extends http.IncomingMessage = http.IncomingMessage,
  > extends http.ServerResponse<R> {}
  Object.setPrototypeOf(IncomingMessage.prototype, app.request);
  Object.setPrototypeOf(ServerResponse.prototype, app.response);
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  return { IncomingMessage, ServerResponse };
}
