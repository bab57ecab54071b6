import { access } from './access.ts';
import { admission } from './admission.ts';
import { policies } from './policies.ts';
import { webhooks } from './webhooks.ts';
import { authentication } from './authentication.ts';
import { authorization } from './authorization.ts';
import { audit } from './audit.ts';
import { aggregated } from './aggregated.ts';
import { addedKinds } from './added-kinds.ts';
import { coldStart, memory } from './cold-start.ts';
import { cli } from './cli.ts';
import { controllers } from './controllers.ts';
import { crowd } from './crowd.ts';
import { customResources } from './custom-resources.ts';
import { manyDefinitions } from './definitions.ts';
import { fairness } from './fairness.ts';
import { fanOut } from './fan-out.ts';
import { gets } from './get.ts';
import { mixed } from './informers.ts';
import { lists } from './list.ts';
import { nodes } from './nodes.ts';
import { representations } from './representations.ts';
import type { Scenario } from './scenario.ts';
import { servedDefinitions } from './served-definitions.ts';
import { starts } from './starts.ts';
import { starvation } from './starvation.ts';
import { idleWatchers, watchStart } from './watch-start.ts';
import { workers } from './workers.ts';
import { workload } from './workload.ts';
import { writes } from './writes.ts';

/** All scenarios, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  ...gets,
  addedKinds,
  access,
  audit,
  authentication,
  authorization,
  ...lists,
  ...representations,
  starvation,
  fairness,
  ...writes,
  ...admission,
  ...webhooks,
  ...policies,
  aggregated,
  fanOut,
  watchStart,
  mixed,
  workload,
  workers,
  idleWatchers,
  memory,
  coldStart,
  starts,
  cli,
  controllers,
  nodes,
  crowd,
  ...customResources,
  manyDefinitions,
  servedDefinitions,
];
