export * from './dataset.js';
export * from './documents.js';
export * from './measurement.js';
export * from './operations.js';
export * from './problem.js';
export * from './process-messages.js';
export * from './roles.js';
export * from './routes.js';
