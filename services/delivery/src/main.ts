#!/usr/bin/env node
import { runService } from '@bottleneck-lab/service-kit';
import { createApp } from './app.js';
import { settings } from './config.js';

await runService({ name: 'delivery', settings, createApp });
