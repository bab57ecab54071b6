import { inSection } from '../../flags/flag-table.ts';
import { boolean, checked, choice, text } from '../../flags/flag-types.ts';
import { serviceResolvers } from '../../outbound/service-resolver.ts';
import { parseAddressRanges, parsePortRange } from '../../resources/core/services/address-range.ts';

const network = checked(text('network'), (value) =>
  parseAddressRanges(value) ? undefined : 'use a network like 10.0.0.0/24, or one of each family, with a comma',
);
const ports = checked(text('ports'), (value) => (parsePortRange(value) ? undefined : 'use ports like 30000-32767'));

/** The flags of Services: addresses, ports, and the way to the servers behind them. */
export const serviceFlags = inSection('Service', {
  /** The CIDRs of Service cluster IPs, at most one of each family: `10.0.0.0/24`. */
  serviceClusterIpRange: {
    flag: 'service-cluster-ip-range',
    type: network,
    default: '10.0.0.0/24',
    help: 'network from which the cluster IPs of Services are allocated; with a second one of the other family, Services can have both',
  },
  /** How the Services of webhooks and aggregated servers are resolved to addresses. */
  serviceResolver: {
    flag: 'service-resolver',
    type: choice('way', serviceResolvers),
    default: 'endpoints',
    help: 'how the Services of webhooks and aggregated servers are resolved: to a ready endpoint, to the cluster IP, or by their DNS name',
  },
  /** True is the resolver `endpoints`, false is `cluster-ip`. */
  'enable-aggregator-routing': {
    type: boolean,
    help: 'the same as --service-resolver=endpoints; false is --service-resolver=cluster-ip',
  },
  /** Range of the node ports of Services, inclusive: `30000-32767`. */
  serviceNodePortRange: {
    flag: 'service-node-port-range',
    type: ports,
    default: '30000-32767',
    help: 'range from which the node ports of Services are allocated',
  },
});
