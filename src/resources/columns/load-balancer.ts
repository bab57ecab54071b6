/** An object with the status of a load balancer. */
type Balanced = {
  readonly status: {
    readonly loadBalancer: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
  };
};

/** The addresses or host names of a status with a load balancer, sorted, each once. */
export function loadBalancerAddresses({ status }: Balanced): readonly string[] {
  const { ingress = [] } = status.loadBalancer;
  const addresses = ingress.map(({ ip, hostname = '' }) => ip || hostname);
  return [...new Set(addresses)].filter((address) => address !== '').toSorted();
}
