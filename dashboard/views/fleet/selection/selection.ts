import { replaceAddress, useAddress } from '../../../components/addressState';
import { readWhatIf, writeWhatIf, type WhatIf } from '../../drain/whatIf';

/** More hosts would make the address too long for servers. */
export const MAX_SELECTED = 500;

/** The hosts that the user selects on the map, and the fleet of the counts. The address holds both. */
export function useSelection() {
  const [address, change] = useAddress();
  const hosts = address.getAll('host');
  const select = (names: Iterable<string>): void => {
    const after = new URLSearchParams(location.search);
    after.delete('host');
    for (const name of [...new Set(names)].slice(0, MAX_SELECTED)) after.append('host', name);
    replaceAddress(after);
  };
  return {
    isOn: address.get('mode') === 'select',
    hosts,
    select,
    toggle: (name: string): void =>
      select(hosts.includes(name) ? hosts.filter((other) => other !== name) : [...hosts, name]),
    setOn: (isOn: boolean): void => {
      if (!isOn) select([]);
      change({ mode: isOn ? 'select' : null });
    },
    fleet: readWhatIf(address),
    setFleet: (fleet: WhatIf): void =>
      replaceAddress(writeWhatIf(new URLSearchParams(location.search), fleet), 'push'),
  };
}

export type Selection = ReturnType<typeof useSelection>;
