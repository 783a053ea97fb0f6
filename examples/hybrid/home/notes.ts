// The first call is this machine's, the second the office's: nothing here is called team.
const notes = await mcp.files.read_text_file({ path: 'notes.md' });
const text = typeof notes === 'string' ? notes : notes.content;
return await mcp.team.echo({ message: text.trim().split('\n').length + ' lines' });
