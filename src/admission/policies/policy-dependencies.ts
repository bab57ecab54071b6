import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ListerOf } from '../../meta/lister.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { DecideCheck } from '../expressions/request-inputs.ts';
import type { StaticObjectsOf } from '../static-objects.ts';
import type { FindParams } from './find-param-objects.ts';

/** The dependencies of the validating and the mutating policy plugin. */
export interface PolicyDependencies {
  readonly identifiers: Identifiers;
  readonly listerOf: ListerOf;
  /** Decides the authorizer checks of expressions. */
  readonly decideCheck: DecideCheck;
  readonly findParams: FindParams;
  readonly metrics: MetricsRegistry;
  readonly staticObjects: StaticObjectsOf;
}
