import { customName, type SourceNode } from './source.js';

/** The function of a PCI device, from its class code. */
type PciKind = 'GPU' | 'NIC' | 'NVME' | 'ACCELERATOR';

/** The vendors of the display adapters of management controllers: Matrox and ASPEED. */
const MANAGEMENT = new Set(['102b', '1a03']);

/** Returns null for devices that no consumer gets, such as bridges and the display adapter of a management controller. */
export function pciKind(classCode: number, vendor: string): PciKind | null {
  const [base, subclass] = [classCode >> 8, classCode & 0xff];
  if (base === 0x03) return MANAGEMENT.has(vendor.toLowerCase()) ? null : 'GPU';
  if (base === 0x02) return 'NIC';
  if (base === 0x01 && subclass === 0x08) return 'NVME';
  return base === 0x12 || (base === 0x0b && subclass === 0x40) ? 'ACCELERATOR' : null;
}

const TRAITS: Readonly<Record<PciKind, string>> = {
  GPU: 'CUSTOM_GPU',
  NIC: 'CUSTOM_NIC',
  NVME: 'CUSTOM_NVME',
  ACCELERATOR: 'CUSTOM_ACCELERATOR',
};

/** Returns the provider of a PCI device: one PGPU, or one PCI_DEVICE, with traits for its kind, vendor and product. */
export function pciNode(
  host: string,
  { address, kind, vendor, product }: { address: string; kind: PciKind; vendor: string; product: string },
): SourceNode & { traits: string[]; inventories: Record<string, { total: number }> } {
  return {
    name: `${host}-${address}`,
    inventories: { [kind === 'GPU' ? 'PGPU' : 'PCI_DEVICE']: { total: 1 } },
    traits: [TRAITS[kind], customName('PCI', vendor, product)],
  };
}
