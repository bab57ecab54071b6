import { type AlertCase, alertCases } from './alert-cases.ts';
import type { RuleGroup } from './rule-groups.ts';

/** Rules that `promtool test rules` evaluates together, and their tests. */
interface RuleTest {
  readonly groups: readonly RuleGroup[];
  readonly evaluationInterval: string;
  readonly tests: readonly object[];
}

/**
 * The tests of all alerts. As few rules as possible are evaluated together, and not each minute, because each evaluation costs:
 * recording rules with the alerts that use them, and other alerts by groups.
 */
export function ruleTests(groups: readonly RuleGroup[]): RuleTest[] {
  const isRecorded = ({ rules }: RuleGroup): boolean => rules.some(({ expr }) => expr.includes('cl_apiserver:'));
  const recorded = groups.filter(isRecorded);
  const others = groups.filter((group) => !isRecorded(group));
  return [
    { groups: recorded, evaluationInterval: '5m', tests: testsOf(recorded) },
    ...others.map((group) => ({ groups: [group], evaluationInterval: '2m', tests: testsOf([group]) })),
  ];
}

function testsOf(groups: readonly RuleGroup[]): readonly object[] {
  const alerts = new Set(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)));
  return alertCases.filter(({ alert }) => alerts.has(alert)).map(testOf);
}

/** Counts what fires: nothing at the quiet moment, and one alert at the other. */
function testOf(each: AlertCase): object {
  const { alert, severity, window, series, quietAt, firesAt } = each;
  const labels = `alertname="${alert}",severity="${severity}"${window === undefined ? '' : `,window="${window}"`}`;
  const expr = `count by (alertname) (ALERTS{${labels},alertstate="firing"})`;
  return {
    name: `${alert}, ${severity} ${window ?? ''}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      { expr, eval_time: quietAt, exp_samples: [] },
      { expr, eval_time: firesAt, exp_samples: [{ labels: `{alertname="${alert}"}`, value: 1 }] },
    ],
  };
}
