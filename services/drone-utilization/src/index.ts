export { createApp } from './app.js';
export { type DroneUtilizationConfig, settings } from './config.js';
