/** Of VCPU. */
export const inventory = (total: number) => ({
  resourceClass: 'VCPU',
  total,
  reserved: 0,
  minUnit: 1,
  maxUnit: 100,
  stepSize: 1,
  allocationRatio: 1,
});

/** Of VCPU, for one consumer. */
export const claim = (consumer: string, provider: string, amount = 1, generation: number | null = null) => ({
  consumers: [
    {
      consumer,
      generation,
      projectId: 'p',
      userId: 'u',
      allocations: [{ resourceProvider: provider, resources: [{ resourceClass: 'VCPU', amount }] }],
    },
  ],
});
