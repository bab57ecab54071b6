import type { Column } from '../../../codec/table.ts';
import { replicas } from '../../columns/replicas.ts';
import { workloadWithSelector } from '../../columns/workload.ts';

/** The columns of replica sets. */
export const columns: readonly Column[] = [...replicas, ...workloadWithSelector()];
