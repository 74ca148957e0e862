#!/usr/bin/env node
import { runService } from '@bottleneck-lab/service-kit';
import { cosmosCredentialRule } from '@bottleneck-lab/service-kit/cosmos';
import { createApp } from './app.js';
import { settings } from './config.js';

await runService({ name: 'drone-utilization', settings, rules: [cosmosCredentialRule], createApp });
