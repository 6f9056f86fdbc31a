/** The mark and the name of the product. */
export function Brand() {
  return (
    <>
      <img src={new URL('../icon.svg', import.meta.url).href} alt="" width="22" height="22" />
      Placement
    </>
  );
}
