import path from 'node:path';
import { INTERNAL_ROUTES, statsResponse } from '@bottleneck-lab/contracts';
import {
  type Calibrator,
  createCalibrator,
  LARGEST_CORES,
  machineFingerprint,
  observedCapacity,
  saturate,
} from '../../calibration/index.js';
import type { KnobServices } from '../../stack/knob-changes.js';
import { requestJson } from '../../supervisor/http-json.js';
import type { ComposeProject } from './compose-project.js';
import { replaceContainers } from './replace-containers.js';
import { containersOf, INTERNAL_PORT, PUBLIC_PORT, serviceOf, urlOf } from './running-service.js';

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

  const setDeliveryLimit = async (wantedCores: number) => {
    const limit = Number(Math.min(LARGEST_CORES, wantedCores).toFixed(4));
    const others = (await containersOf(project, 'delivery')).filter(({ cpus }) => cpus !== limit);
    if (others.length > 0)
      await project.setCpus(
        others.map(({ id }) => id),
        limit,
      );
  };
  /** What a new container is limited to by compose.yaml is somebody's guess. */
  const setDeliveryReplicas = async (replicas: number) => {
    const [first, ...more] = await containersOf(project, 'delivery');
    if (more.length + 1 === replicas) return false;
    await replaceContainers(project, { service: 'delivery', containers: replicas, variables });
    if (first?.cpus) await setDeliveryLimit(first.cpus);
    return true;
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
    setDeliveryReplicas,
    async calibrate(requestsPerSecond) {
      // What is measured is one container under its limit.
      await setDeliveryReplicas(1);
      if (requestsPerSecond !== calibratedRate) calibrator = null;
      calibratedRate = requestsPerSecond;
      calibrator ??= await calibratorFor(requestsPerSecond);
      return calibrator.calibrate();
    },
    async correctCalibration(sinceSecond) {
      const answers = await Promise.all(
        (await containersOf(project, 'delivery')).map((one) =>
          requestJson(`${urlOf(one, INTERNAL_PORT)}${INTERNAL_ROUTES.stats}?since=${sinceSecond}`),
        ),
      );
      const rows = answers.flatMap((answer) => statsResponse.parse(answer).rows);
      const observed = observedCapacity(rows, calibratedRate);
      return observed === null || calibrator === null ? null : calibrator.adopt(observed);
    },
    async setQueries({ queryFanout, partitionKey }) {
      const { env } = await serviceOf(project, 'drone-utilization');
      if (env.QUERY_FANOUT === queryFanout && env.PARTITION_KEY === partitionKey) return false;
      await replaceContainers(project, {
        ...{ service: 'drone-utilization', containers: 1 },
        variables: { ...variables, QUERY_FANOUT: queryFanout, PARTITION_KEY: partitionKey },
      });
      return true;
    },
  };
}
