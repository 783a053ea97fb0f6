type Invoice = { lines: { price: number }[] };

function total(invoice: Invoice): number {
  return invoice.lines.reduce((sum, line) => sum + line.price, 0);
}

return total(context.invoice);
