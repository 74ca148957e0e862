export { createApp } from './app.js';
export { type DeliveryConfig, settings } from './config.js';
