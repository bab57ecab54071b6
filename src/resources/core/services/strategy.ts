import type { Service } from '../../../gen/stored/core-v1.ts';
import { validateDns1035Label, validateNameBase } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { checkLoadBalancerStatus } from '../../rules/fields/load-balancer-status.ts';
import { defaultService } from './default.ts';
import { keepAllocated } from './keep-allocated.ts';
import { mirrorClusterIp } from './mirror-cluster-ip.ts';
import { validateService } from './validate.ts';

/** The strategy of Services. Their names are labels of RFC 1035, because they become DNS names. */
export const strategy: Strategy<Service> = {
  validateName: (name, prefix) => (prefix ? validateNameBase(validateDns1035Label, name) : validateDns1035Label(name)),
  default: defaultService,
  prepareForCreate: mirrorClusterIp,
  prepareForUpdate: (service, old) => {
    mirrorClusterIp(service);
    keepAllocated(service, old);
  },
  validate: (service, { identifiers }, old) => validateService(service, identifiers, old),
  allowCreateOnUpdate: true,
  generation: false,
  subresources: {
    status: {
      validateUpdate: (service) => checkLoadBalancerStatus('status.loadBalancer', service.status.loadBalancer),
    },
  },
};
