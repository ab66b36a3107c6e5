"""The reference of the commands, made from `ifttt help --json`."""
import html
import json
import posixpath
import re

from made_page import MadePage, headerlink


def code(text):
    return f"<code>{html.escape(text)}</code>"


def table(heads, rows):
    head = "".join(f"<th>{cell}</th>" for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"


class CommandPages:
    """One page for each command and noun, an index, and a page for the global options and one for the exit codes."""

    OPTIONS, EXIT_CODES, INDEX = "commands/options.md", "commands/exit-codes.md", "commands/index.md"

    def __init__(self, tree, exit_codes):
        self.root = json.loads(tree)
        self.exit_codes = self.read_exit_codes(exit_codes)
        self.paths = {"ifttt": self.INDEX}
        self.commands = []
        self.add_paths(self.root)
        self.pages = {
            self.INDEX: MadePage("Commands", self.index()),
            self.OPTIONS: MadePage("Global options", self.global_options()),
            self.EXIT_CODES: MadePage("Exit codes", self.exit_code_page()),
        }
        for command in self.commands:
            line = " ".join(command["path"])
            self.pages[self.paths[line]] = MadePage(line, self.page(command))

    def add_paths(self, command):
        for child in command["subcommands"]:
            words = child["path"][1:]
            ending = "/index.md" if child["subcommands"] else ".md"
            self.paths[" ".join(child["path"])] = "commands/" + "/".join(words) + ending
            self.commands.append(child)
            self.add_paths(child)

    @staticmethod
    def read_exit_codes(text):
        """The codes and their meanings, from lines such as `  2    Invalid command line.`"""
        codes = []
        for line in text.splitlines():
            if match := re.match(r"  (\d+) +(.+)", line):
                codes.append([match[1], match[2]])
            elif codes and line.strip():
                codes[-1][1] += " " + line.strip()
        if not codes:
            raise ValueError(f"no exit codes in: {text}")
        return codes

    # Navigation and links

    @property
    def navigation(self):
        def entry(command):
            path = self.paths[" ".join(command["path"])]
            if not command["subcommands"]:
                return {command["name"]: path}
            return {command["name"]: [path, *map(entry, command["subcommands"])]}

        first = [self.INDEX, {"Global options": self.OPTIONS}, {"Exit codes": self.EXIT_CODES}]
        return first + [entry(command) for command in self.root["subcommands"]]

    @staticmethod
    def url(source, page):
        """The relative URL of a page, from the path of another."""
        return posixpath.relpath(re.sub(r"\.md$", ".html", page), posixpath.dirname(source))

    def with_links(self, document, text):
        """A document whose table of commands links to their pages."""
        folder = posixpath.dirname(document) or "."

        def linked(match):
            path = self.paths.get(match[1])
            return f"| [`{match[1]}`]({posixpath.relpath(path, folder)}) |" if path else match[0]

        return re.sub(r"^\| `(ifttt[^`]*)` \|", linked, text, flags=re.MULTILINE)

    # Text

    def prose(self, text, here):
        """Text of the help as HTML: quoted commands become links, and options become code."""
        def marked(match):
            if match[1]:
                line = match[1] if match[1].startswith("ifttt ") else "ifttt " + match[1]
                path = self.paths.get(line)
                return f'<a href="{self.url(here, path)}">{code(match[1])}</a>' if path else code(match[1])
            return code(match[0])

        parts, end = [], 0
        for match in re.finditer(r"(?<!\w)'([a-z][^'\n]*?)'(?!\w)|(?<![\w-])--?\[?[a-zA-Z][\w\]-]*", text):
            parts += [html.escape(text[end : match.start()], quote=False), marked(match)]
            end = match.end()
        return "".join(parts) + html.escape(text[end:], quote=False)

    @staticmethod
    def sentence(text):
        return text[:1].upper() + text[1:]

    # Sections

    def section(self, title, content, *, is_found=True):
        name = re.sub(r"\W+", "-", title.lower())
        hidden = "" if is_found else " data-search-exclude"
        return f'<h2 id="{name}"{hidden}>{html.escape(title)}{headerlink(name)}</h2>\n{content}'

    def terms(self, entries):
        """A list of terms: the id, the term as HTML, and paragraphs as HTML."""
        rows = "".join(
            f'<dt id="{name}">{term}</dt>\n<dd>' + "".join(f"<p>{part}</p>" for part in parts) + "</dd>\n"
            for name, term, parts in entries)
        return f'<dl class="terms">\n{rows}</dl>\n'

    def argument(self, argument, here):
        value = argument["value"]
        term = value["placeholder"] + ("..." if argument["repeatable"] else "")
        facts = [] if argument["required"] else ["Optional."]
        return f"argument-{value['placeholder'].lower()}", code(term), self.parts(argument["help"], facts, value, here)

    def option(self, option, here):
        name, value = option["name"], option["value"]
        term = f"-{option['short']}, " if option["short"] else ""
        term += ("--[no-]" if option["negatable"] else "--") + name
        if value:
            term += " " + value["placeholder"]
        facts = ["Can be repeated."] if option["repeatable"] else []
        if option["default"]:
            facts.append(f"Default: {self.prose(option['default'], here)}.")
        if option["environment"]:
            facts.append(f"Environment: {code(option['environment'])}.")
        return f"option-{name}", code(term), self.parts(option["help"], facts, value, here)

    def parts(self, text, facts, value, here):
        parts = [self.prose(text, here).rstrip(".") + "."]
        choices = value["choices"] if value else []
        if choices and any(choice["help"] for choice in choices):
            rows = [(code(choice["value"]), self.prose(choice["help"] or "", here)) for choice in choices]
            facts = facts + ["Values: " + "; ".join(f"{name} ({help})" if help else name for name, help in rows) + "."]
        elif choices:
            facts = facts + ["One of: " + ", ".join(code(choice["value"]) for choice in choices) + "."]
        return parts + ([" ".join(facts)] if facts else [])

    def subcommands(self, command, here):
        """Tables of the subcommands, one for each group. A noun inside is listed with its verbs."""
        groups = {}
        for child in command["subcommands"]:
            rows = groups.setdefault(child["group"] or "Commands", [])
            for shown in [child, *(child["subcommands"] if command is not self.root else [])]:
                line = " ".join(shown["path"])
                link = f'<a href="{self.url(here, self.paths[line])}">{code(line)}</a>'
                rows.append((link, self.prose(shown["summary"], here)))
        return "".join(
            self.section(group, table(["Command", "What it does"], rows)) for group, rows in groups.items())

    def exit_code_table(self, here):
        return table(["Code", "Meaning"], [(code(number), self.prose(text, here)) for number, text in self.exit_codes])

    # Pages

    def page(self, command):
        line = " ".join(command["path"])
        here = self.paths[line]
        parts = [f'<h1 id="command">{html.escape(line)}</h1>', f'<p class="lead">{self.prose(command["summary"], here)}.</p>']
        usage = html.escape("\n".join(command["usage"]))
        parts.append(self.section("Synopsis", f"<pre><code>{usage}</code></pre>\n"))
        parts += [f"<p>{self.prose(text, here)}</p>" for text in command["discussion"]]
        if command["subcommands"]:
            parts.append(self.subcommands(command, here))
        if command["examples"]:
            parts.append(self.section("Examples", "".join(
                f"<p>{self.prose(self.sentence(example['purpose']), here)}:</p>\n"
                f"<pre><code>ifttt {html.escape(example['arguments'])}</code></pre>\n"
                for example in command["examples"])))
        if command["arguments"]:
            parts.append(self.section("Arguments", self.terms([self.argument(item, here) for item in command["arguments"]])))
        groups = {}
        for item in sorted(command["options"], key=lambda item: item["group"] is not None):
            groups.setdefault(item["group"] or "Options", []).append(self.option(item, here))
        parts += [self.section(heading, self.terms(entries)) for heading, entries in groups.items()]
        options = f'<p><a href="{self.url(here, self.OPTIONS)}">Global options</a> apply too.</p>\n'
        parts.append(options if command["options"] else self.section("Options", options))
        parts.append(self.section("Exit codes", self.exit_code_table(here), is_found=False))
        manual = self.url(here, f"man/{'-'.join(command['path'])}.1.md")
        parts.append(self.section(
            "See also", f'<p>Man page: <a href="{manual}">{"-".join(command["path"])}(1)</a></p>\n', is_found=False))
        return "\n".join(parts)

    def index(self):
        usage = html.escape("\n".join(self.root["usage"]))
        return "\n".join([
            '<h1 id="commands">Commands</h1>',
            f"<p>{self.prose(self.root['summary'], self.INDEX)}.</p>",
            f"<pre><code>{usage}</code></pre>",
            *(f"<p>{self.prose(text, self.INDEX)}</p>" for text in self.root["discussion"]),
            self.subcommands(self.root, self.INDEX),
        ])

    def global_options(self):
        entries = [self.option(item, self.OPTIONS) for item in self.root["options"]]
        return (
            '<h1 id="global-options">Global options</h1>\n<p>Every command accepts these options. '
            f'Man page: <a href="{self.url(self.OPTIONS, "man/ifttt.1.md")}">ifttt(1)</a>.</p>\n' + self.terms(entries))

    def exit_code_page(self):
        return (
            '<h1 id="exit-codes">Exit codes</h1>\n<p>Every command ends with one of these exit codes.</p>\n'
            + self.exit_code_table(self.EXIT_CODES))
