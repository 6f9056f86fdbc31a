// What the plans in this folder are built from. Not a plan itself.

/** The provider as it is, to be stated in an ApplyProviderTreeInput: what is below it, too, stays as it is. */
export function asItIs({ uuid, name }) {
  return { uuid, name };
}

/** The provider with these inventories in the place of its own; refused when somebody changes it meanwhile. */
export function restocked({ uuid, name, generation }, inventories) {
  return { uuid, name, generation, inventories };
}

/** An inventory as input. */
export function asInput({ resourceClass, total, reserved, minUnit, maxUnit, stepSize, allocationRatio }) {
  return { resourceClass: resourceClass.name, total, reserved, minUnit, maxUnit, stepSize, allocationRatio };
}

/** The inventory of a class that a provider has, or undefined. */
export function inventoryOf(provider, resourceClass) {
  return provider.inventories.find((inventory) => inventory.resourceClass.name === resourceClass);
}

/** An inventory as input, cut into parts that differ by one unit at most; parts that would be empty are undefined. */
export function cut(inventory, parts) {
  const share = (amount, part) => Math.floor(amount / parts) + (part < amount % parts ? 1 : 0);
  return Array.from({ length: parts }, (_, part) => {
    const [total, reserved] = [share(inventory.total, part), share(inventory.reserved, part)];
    return total > 0 ? { ...asInput(inventory), total, reserved } : undefined;
  });
}

/** The capacity of an inventory given as input; 10 at a ratio of 0.7 is 7, and no floating-point error makes it 6. */
export function capacityOf({ total, reserved, allocationRatio }) {
  return Math.floor(Number(((total - reserved) * allocationRatio).toPrecision(14)));
}

/**
 * The consumer with its whole set of allocations, as input. `move` says where each allocation goes: a list of
 * { resourceProvider, resourceClass, amount } with the uuid of the provider, or undefined where it stays.
 */
export function rewritten(consumer, move) {
  const byProvider = new Map();
  for (const allocation of consumer.allocations) {
    const stay = {
      resourceProvider: allocation.resourceProvider.uuid,
      resourceClass: allocation.resourceClass.name,
      amount: allocation.amount,
    };
    for (const { resourceProvider, resourceClass, amount } of move(allocation) ?? [stay]) {
      const amounts = byProvider.get(resourceProvider) ?? new Map();
      amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + amount);
      byProvider.set(resourceProvider, amounts);
    }
  }
  return {
    consumer: consumer.uuid,
    generation: consumer.generation,
    type: consumer.type?.name,
    projectId: consumer.projectId,
    userId: consumer.userId,
    allocations: {
      providers: [...byProvider].map(([uuid, amounts]) => ({
        resourceProvider: { uuid },
        resources: [...amounts].map(([resourceClass, amount]) => ({ resourceClass, amount })),
      })),
    },
  };
}

/**
 * Packs needs into bins, the largest first, each whole into the first bin that has room for all of it. A need that no bin has
 * room for is spread, each class over the bins in turn; what is left then goes to the last, and the server will refuse it.
 *
 * A need is { key, amounts: { [class]: amount } }, a bin { [class]: room }. Gives, by key and class, [bin, amount] pairs.
 */
export function pack(needs, bins) {
  const room = bins.map((bin) => ({ ...bin }));
  const size = ({ amounts }) => Object.values(amounts).reduce((sum, amount) => sum + amount, 0);
  const packed = new Map();
  for (const { key, amounts } of [...needs].sort((a, b) => size(b) - size(a))) {
    const classes = Object.keys(amounts);
    const whole = room.findIndex((bin) => classes.every((name) => (bin[name] ?? 0) >= amounts[name]));
    const shares = classes.map((name) => [
      name,
      whole >= 0 ? [[whole, amounts[name]]] : spread(name, amounts[name], room),
    ]);
    for (const [name, pairs] of shares) for (const [bin, amount] of pairs) room[bin][name] -= amount;
    packed.set(key, Object.fromEntries(shares));
  }
  return packed;
}

function spread(name, amount, room) {
  const pairs = [];
  let left = amount;
  const last = room.findLastIndex((bin) => bin[name] !== undefined);
  room.forEach((bin, index) => {
    const taken = index === last ? left : Math.min(left, Math.max(0, bin[name] ?? 0));
    if (taken > 0) pairs.push([index, taken]);
    left -= taken;
  });
  return pairs;
}
