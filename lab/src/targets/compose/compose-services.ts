import path from 'node:path';
import { INTERNAL_ROUTES, statsResponse } from '@bottleneck-lab/contracts';
import {
  type Calibrator,
  createCalibrator,
  machineFingerprint,
  observedCapacity,
  saturate,
} from '../../calibration/index.js';
import { StackError } from '../../stack/errors.js';
import type { KnobServices } from '../../stack/knob-changes.js';
import { requestJson } from '../../supervisor/http-json.js';
import type { ComposeProject } from './compose-project.js';
import { INTERNAL_PORT, PUBLIC_PORT, serviceOf, urlOf } from './running-service.js';
import { untilReady } from './until-ready.js';

/** What scenarios turn about the services: variables by a new container, delivery's limit on the running one. */
export function composeServices(options: {
  project: ComposeProject;
  /** Variables that a service keeps when it is made anew. */
  variables: Record<string, string>;
  seed: number;
  stateDir: string;
  requestsPerSecond: number;
}): KnobServices {
  const { project, variables, seed } = options;
  let calibratedRate = options.requestsPerSecond;
  let calibrator: Calibrator | null = null;

  const setDeliveryLimit = async (cores: number) => {
    const delivery = await serviceOf(project, 'delivery');
    const limit = Number(Math.min(1, cores).toFixed(4));
    if (delivery.cpus !== limit) await project.setCpus(delivery.id, limit);
  };
  const calibratorFor = async (targetRequestsPerSecond: number) => {
    const delivery = await serviceOf(project, 'delivery');
    return createCalibrator({
      targetRequestsPerSecond,
      cachePath: path.join(options.stateDir, 'calibration-compose.json'),
      // The program that is measured is the image's.
      fingerprint: `${machineFingerprint([])}-${delivery.imageId.slice(-16)}`,
      setLimit: setDeliveryLimit,
      measure: (times) => saturate({ url: urlOf(delivery, PUBLIC_PORT), seed, times }),
    });
  };

  return {
    setDeliveryLimit,
    async setDeliveryReplicas(replicas) {
      if (replicas === 1) return false;
      throw new StackError('KNOB_REFUSED', `deliveryReplicas: ${replicas} is not possible: ${ONE_REPLICA}`);
    },
    async calibrate(requestsPerSecond) {
      if (requestsPerSecond !== calibratedRate) calibrator = null;
      calibratedRate = requestsPerSecond;
      calibrator ??= await calibratorFor(requestsPerSecond);
      return calibrator.calibrate();
    },
    async correctCalibration(sinceSecond) {
      const url = urlOf(await serviceOf(project, 'delivery'), INTERNAL_PORT);
      const { rows } = statsResponse.parse(
        await requestJson(`${url}${INTERNAL_ROUTES.stats}?since=${sinceSecond}`),
      );
      const observed = observedCapacity(rows, calibratedRate);
      return observed === null || calibrator === null ? null : calibrator.adopt(observed);
    },
    async setQueries({ queryFanout, partitionKey }) {
      const { env } = await serviceOf(project, 'drone-utilization');
      if (env.QUERY_FANOUT === queryFanout && env.PARTITION_KEY === partitionKey) return false;
      await project.up(['drone-utilization'], {
        variables: { ...variables, QUERY_FANOUT: queryFanout, PARTITION_KEY: partitionKey },
        alone: true,
      });
      await untilReady(project, 'drone-utilization');
      // It opens its connections to the new container by itself.
      await untilReady(project, 'gateway');
      return true;
    },
  };
}

export const ONE_REPLICA = 'with --target compose delivery is one container';
