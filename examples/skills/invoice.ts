// glovebox exec invoice.ts --config glovebox.json
const found = await mcp.skills.search_skills({ query: 'invoice sum' });
const total = await mcp.InvoiceSkill.total({ items: [{ price: 19.99, count: 3 }, { price: 5 }] });
const days = await mcp.TimeSkill.days_between({ first: '2026-01-01', last: '2026-03-01' });
const error = await mcp.InvoiceSkill.total({ items: [] }).catch((error) => error.message);
return { signature: found[0].signature, total, days, error };
