"""Uses the plugin mcp with the reference client of the Model Context Protocol: client.py read|change PROGRAM

The client validates each result against the schema of its tool. A failed check ends it with a traceback.
"""
import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ID = "Kd7Rn2Qx"


async def call(session, tool, **arguments):
    """The structured content of a result, or the error."""
    result = await session.call_tool(tool, arguments)
    if result.is_error:
        return json.loads(result.content[0].text) if result.content[0].text.startswith("{") else result.content[0].text
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def read(session, tools):
    assert all(tool.annotations.read_only_hint for tool in tools.values()), "without --allow-changes, every tool only reads"
    assert "connections_disable" not in tools
    rows = (await call(session, "connections_list", status=["enabled"], limit="3"))["result"]
    assert len(rows) == 3 and all(row["status"] == "enabled" for row in rows), rows
    needed = {
        "connections_show": {"arguments": [ID]}, "connections_options": {"arguments": [ID]},
        "connections_query": {"arguments": ["no-such-query"]},
    }
    for name, tool in tools.items():
        if tool.input_schema.get("required"):
            assert name in needed, f"{name} needs {tool.input_schema['required']}"
        found = await call(session, name, **needed.get(name, {}))
        # Some have nothing to show here; their errors are those of the program.
        assert "result" in found or found["error"]["code"] in {"not_found", "usage", "refused"}, f"{name}: {found}"
    # No value is read as an option, and no withheld option is accepted.
    assert (await call(session, "connections_show", arguments=["--help"]))["error"]["code"] in {"usage", "not_found"}
    for arguments in ({"stdin": True}, {"user_token_file": "/etc/passwd"}, {"limit": {}}, {"arguments": "x"}):
        try:
            await session.call_tool("connections_list", arguments)
        except Exception as error:  # The class of protocol errors has changed between versions of the client.
            assert "connections_list has no option" in str(error) or "is not a" in str(error), error
        else:
            raise AssertionError(arguments)


async def change(session, tools):
    assert not tools["connections_disable"].annotations.read_only_hint
    before = (await call(session, "connections_show", arguments=[ID]))["result"]["status"]
    plan = await call(session, "connections_disable", arguments=[ID])
    assert before == "enabled" and plan["plan"][0]["after"]["status"] == "disabled", plan
    assert (await call(session, "connections_show", arguments=[ID]))["result"]["status"] == "enabled", "only planned"
    other = await call(session, "connections_disable", arguments=["Wd5Po8Rk"], confirmation=plan["confirmation"])
    assert "not the confirmation" in other, other
    used = await call(session, "connections_disable", arguments=[ID], confirmation=plan["confirmation"])
    assert "not the confirmation" in used, "a confirmation is used once, also by a wrong call"
    plan = await call(session, "connections_disable", arguments=[ID])
    done = await call(session, "connections_disable", arguments=[ID], confirmation=plan["confirmation"])
    assert done["result"][0]["status"] == "disabled" and done["result"][0]["changed"], done
    assert (await call(session, "connections_show", arguments=[ID]))["result"]["status"] == "disabled"


async def main(part, program):
    words = ["mcp"] + (["--allow-changes"] if part == "change" else [])
    parameters = StdioServerParameters(command=program, args=words, env=dict(os.environ))
    async with stdio_client(parameters) as (reader, writer), ClientSession(reader, writer) as session:
        started = await session.initialize()
        assert started.server_info.name == "ifttt"
        await session.send_ping()
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        await {"read": read, "change": change}[part](session, tools)


asyncio.run(main(*sys.argv[1:]))
