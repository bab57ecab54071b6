/** A query of a panel, and the legend of its series. */
export type PanelQuery = readonly [expression: string, legend: string];

/** A panel of a dashboard. */
export interface PanelDefinition {
  readonly title: string;
  readonly unit: PanelUnit;
  readonly queries: readonly PanelQuery[];
  /** Help for readers who do not know the metric. */
  readonly description?: string;
  /** A graph over time by default, or the present value. */
  readonly kind?: 'timeseries' | 'stat';
  /** Areas on top of each other, for parts of a whole. */
  readonly isStacked?: boolean;
}

/** Units of Grafana that the dashboards use. */
type PanelUnit = 'short' | 'reqps' | 'ops' | 's' | 'bytes' | 'Bps' | 'percentunit' | 'bool_yes_no' | 'none';

/** A dashboard as a table of rows of panels. */
export interface DashboardDefinition {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** A metric that each process of the job has: it finds the jobs and instances to choose from. */
  readonly ownMetric: string;
  readonly rows: readonly (readonly [title: string, panels: readonly PanelDefinition[]])[];
}

const datasource = { type: 'prometheus', uid: '${datasource}' };
const columns = 24;
const graphSize = { w: 8, h: 8 };
const statSize = { w: 4, h: 4 };

/** Returns the dashboard in the JSON model of Grafana, whose panels have their places. */
export function dashboardModel({ uid, title, description, ownMetric, rows }: DashboardDefinition): object {
  return {
    uid,
    title,
    description,
    tags: ['cl-apiserver'],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    timezone: 'browser',
    annotations: { list: [] },
    links: [{ type: 'dashboards', tags: ['cl-apiserver'], title: 'cl-apiserver', asDropdown: false, keepTime: true }],
    templating: { list: variablesOf(ownMetric) },
    panels: placedPanels(rows),
  };
}

function variablesOf(ownMetric: string): object[] {
  const query = (name: string, text: string, more: object) => ({
    name,
    label: name,
    type: 'query',
    datasource,
    query: { query: text, refId: `variable-${name}` },
    definition: text,
    refresh: 2,
    sort: 1,
    ...more,
  });
  return [
    { name: 'datasource', label: 'data source', type: 'datasource', query: 'prometheus', refresh: 1 },
    query('job', `label_values(${ownMetric}, job)`, { multi: false, includeAll: false }),
    query('instance', `label_values(${ownMetric}{job="$job"}, instance)`, {
      multi: true,
      includeAll: true,
      allValue: '.*',
    }),
  ];
}

/** The panels with their ids and places: each row is a heading with panels from the left below it. */
function placedPanels(rows: DashboardDefinition['rows']): object[] {
  const placed: object[] = [];
  let y = 0;
  for (const [title, panels] of rows) {
    placed.push({
      id: placed.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: columns, h: 1 },
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of panels) {
      const size = panel.kind === 'stat' ? statSize : graphSize;
      if (x + size.w > columns) {
        y += height;
        x = 0;
        height = 0;
      }
      placed.push(panelModel(panel, placed.length + 1, { x, y, ...size }));
      x += size.w;
      height = Math.max(height, size.h);
    }
    y += height;
  }
  return placed;
}

function panelModel(panel: PanelDefinition, id: number, gridPos: object): object {
  const { title, unit, queries, description, kind = 'timeseries', isStacked = false } = panel;
  const custom = { lineWidth: 1, fillOpacity: isStacked ? 30 : 5, stacking: { mode: isStacked ? 'normal' : 'none' } };
  return {
    id,
    type: kind,
    title,
    ...(description === undefined ? {} : { description }),
    datasource,
    gridPos,
    fieldConfig: {
      defaults: { unit, ...(kind === 'stat' ? {} : { min: 0, custom: { ...custom, showPoints: 'never' } }) },
      overrides: [],
    },
    options:
      kind === 'stat'
        ? { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, colorMode: 'none', graphMode: 'area' }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCodePoint('A'.codePointAt(0)! + index),
      datasource,
      expr,
      legendFormat,
    })),
  };
}
