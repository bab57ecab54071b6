import type { OwnerNode } from './owner-tree.ts';

/** The size of a node, and the space between nodes, in pixels. */
export const nodeSize = { width: 200, height: 44, across: 48, down: 10 } as const;

/** A node at its place. */
interface PlacedNode {
  readonly node: OwnerNode;
  readonly x: number;
  readonly y: number;
}

/** Nodes and the lines between owners and dependents, as paths of SVG. */
interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly { readonly key: string; readonly path: string }[];
}

/**
 * Places trees from the left to the right: dependents are in the column after their owner, and an
 * owner is at the middle of its dependents.
 */
export function graphLayout(trees: readonly OwnerNode[]): GraphLayout {
  const places = new Map<string, PlacedNode>();
  let rows = 0;
  let columns = 0;
  const place = (node: OwnerNode, column: number): PlacedNode => {
    columns = Math.max(columns, column + 1);
    const below = node.children.map((child) => place(child, column + 1));
    const [first, last] = [below[0], below.at(-1)];
    const y = first && last ? (first.y + last.y) / 2 : rows++ * (nodeSize.height + nodeSize.down);
    const placed = { node, x: column * (nodeSize.width + nodeSize.across), y };
    places.set(node.key, placed);
    return placed;
  };
  for (const tree of trees) place(tree, 0);
  const nodes = [...places.values()];
  const edges = nodes.flatMap((from) =>
    [
      ...from.node.children.map(({ key }) => [from, places.get(key)] as const),
      ...from.node.otherOwners.map((key) => [places.get(key), from] as const),
    ].flatMap(([owner, dependent]) =>
      owner && dependent ? [{ key: `${owner.node.key} ${dependent.node.key}`, path: edgePath(owner, dependent) }] : [],
    ),
  );
  return {
    width: Math.max(0, columns * (nodeSize.width + nodeSize.across) - nodeSize.across),
    height: Math.max(0, rows * (nodeSize.height + nodeSize.down) - nodeSize.down),
    nodes,
    edges,
  };
}

/** A curve from the right side of an owner to the left side of a dependent. */
function edgePath(owner: PlacedNode, dependent: PlacedNode): string {
  const [x1, y1] = [owner.x + nodeSize.width, owner.y + nodeSize.height / 2];
  const [x2, y2] = [dependent.x, dependent.y + nodeSize.height / 2];
  const bend = Math.max(nodeSize.across / 2, (x2 - x1) / 2);
  return `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
}
