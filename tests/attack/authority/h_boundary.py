"""H: an agent whose code has private values in its hands, against `privacy.enforce: "boundary"`: they reach tools in `restore` alone."""
import json

from authority import AuthorityCase

FOUND = "const { mail } = await mcp.crm.find({});"
# The ways in which the code passes bob@example.com on.
WAYS = {
    "as_it_is": "mcp.paste.send({ text: mail })",
    "within_a_sentence": "mcp.paste.send({ text: `write to ${mail} today` })",
    "in_capitals": "mcp.paste.send({ text: mail.toUpperCase() })",
    "as_a_name": "mcp.paste.send({ [mail]: 1 })",
    "with_spaces": "mcp.paste.send({ text: mail.split('').join(' ') })",
    "percent_encoded": "mcp.paste.send({ text: encodeURIComponent(mail) })",
    "in_base64": "mcp.paste.send({ text: btoa(mail) })",
    "as_json_in_json": "mcp.paste.send({ text: JSON.stringify({ a: JSON.stringify({ mail }) }) })",
    "in_two_members": "mcp.paste.send({ a: mail.slice(0, 7), b: mail.slice(7) })",
    "in_a_list": "mcp.paste.send({ parts: mail.match(/.{1,3}/g) })",
    "to_another_tool_of_the_source": "mcp.crm.send({ text: mail })",
    "of_somebody_else": "mcp.paste.send({ text: 'eve' + String.fromCharCode(64) + 'example.com' })",
}


class BoundaryTest(AuthorityCase):
    def setUp(self):
        super().setUp()
        self.config(mcpServers={"crm": self.server(), "paste": self.server(), "mail": self.server()}, permissions={"allow": ["*"]},
                    privacy={"enforce": "boundary", "restore": ["mail:send", "mail:pay"]})
        self.agent = self.serve()

    def test_no_way_leads_to_a_tool_that_restore_does_not_name(self):
        for name, call in WAYS.items():
            with self.subTest(name):
                told = self.agent.execute(f"{FOUND} try {{ await {call} }} catch (error) {{ return error.code }}")
                self.assertIn("PERMISSION_DENIED", json.dumps(told))
        self.assert_not_made("send")

    def test_a_token_stays_a_token_and_a_tool_in_restore_gets_the_value(self):
        token = self.agent.execute(f"{FOUND} return mail")["structuredContent"]["result"]
        self.assertRegex(token, r"^<EMAIL_\d+>$")
        self.agent.execute(f"await mcp.paste.send({{ text: '{token}' }}); await mcp.mail.pay({{ to: '{token}' }})")
        self.agent.execute(f"{FOUND} await mcp.mail.send({{ to: mail }})")
        self.assertEqual([call for call in self.calls() if call[0] != "find"],
                         [("send", {"text": token}), ("pay", {"to": "bob@example.com"}), ("send", {"to": "bob@example.com"})])

    def test_it_holds_in_calls_of_tools_and_python(self):
        self.agent.tool("call_tool", {"tool": "paste.send", "arguments": {"text": "bob@example.com"}})
        self.agent.tool("execute_code", {"language": "python", "code":
                                         "found = await mcp.crm.find()\nawait mcp.paste.send(text=found['mail'][::1])"})
        self.assert_not_made("send")
