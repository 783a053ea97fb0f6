"""H: tokens that are older than the gateway, in an agent's context or in what a server keeps: they stand for nobody else."""
from authority import AuthorityCase


class OldTokenTest(AuthorityCase):
    def setUp(self):
        super().setUp()
        self.config(mcpServers={"mail": self.server()}, permissions={"allow": ["*"]}, privacy={"restore": ["mail:send"]})

    def token(self, agent, address):
        told = agent.execute(f"return '{address.replace('@', chr(39) + ' + String.fromCharCode(64) + ' + chr(39))}'")
        token = told["structuredContent"]["result"]
        self.assertRegex(token, r"^<EMAIL_\d+>$")
        return token

    def test_a_token_of_an_ended_gateway_is_not_the_value_of_another(self):
        first = self.serve()
        old = [self.token(first, f"bob{i}@example.com") for i in range(3)]
        first.close()
        second = self.serve()
        new = [self.token(second, f"eve{i}@example.com") for i in range(3)]
        self.assertEqual(len({*old, *new}), 6)
        second.execute(f"await mcp.mail.send({{ to: '{old[0]}' }}); await mcp.mail.send({{ to: '{new[0]}' }})")
        self.assertEqual(self.calls(), [("send", {"to": old[0]}), ("send", {"to": "eve0@example.com"})])

    def test_two_gateways_at_once_share_no_token(self):
        agents = [self.serve(), self.serve()]
        tokens = [self.token(agent, f"bob{i}@example.com") for i in range(3) for agent in agents]
        self.assertEqual(len(set(tokens[0::2]) & set(tokens[1::2])), 0)

    def test_a_planted_file_of_numbers_is_no_way_back(self):
        self.token(self.serve(), "bob@example.com")
        import os
        for folder, _, names in os.walk(self.root):
            if "token-numbers" in names:
                for text in ["", "x", "-5", "99999999999999999999999"]:
                    with open(os.path.join(folder, "token-numbers"), "w", encoding="utf-8") as file:
                        file.write(text)
                    agent = self.serve()
                    self.token(agent, "bob@example.com")
                    self.assertTrue(agent.is_alive())
