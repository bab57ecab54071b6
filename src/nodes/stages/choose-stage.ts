/**
 * Chooses one of the stages that match an object, by their weights. Stages with the weight 0 are
 * chosen only if there are no others, with equal chances. `random` returns a number from 0 to below
 * 1. Undefined without stages.
 */
export function chooseStage<T extends { readonly weight: number }>(
  stages: readonly T[],
  random: () => number,
): T | undefined {
  if (stages.length < 2) return stages[0];
  const total = stages.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return stages[Math.floor(random() * stages.length)];
  let left = random() * total;
  return stages.find(({ weight }) => (left -= weight) < 0);
}
