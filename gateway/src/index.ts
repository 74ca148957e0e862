export { createApp } from './app.js';
export { type GatewayConfig, settings } from './config.js';
