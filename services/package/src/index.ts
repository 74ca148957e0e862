export { createApp } from './app.js';
export { type PackageConfig, settings } from './config.js';
