"""Hooks of MkDocs: they collect the pages of the site.

The pages are the documents of the repository, a page for each command, made from `ifttt help --json`, the man pages, and each
file or folder of the repository that a document links to.
"""
import os
import re
import subprocess
from pathlib import Path

from mkdocs.structure.files import File
from mkdocs.structure.toc import get_toc

from command_pages import CommandPages
from documents import PICTURES, documents, link_targets
from man_pages import ManPages
from repository_files import FilePages

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = "commands/"
# Long pages that mention nearly every term. The search shows them after the others.
FOR_DEVELOPERS = {"Benchmarks/README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/decisions.md", "docs/layout.md"}
# Pages whose HTML is made here, by their path: Markdown does not read them.
made = {}


def program(*arguments):
    return subprocess.run(
        [os.environ["IFTTT_PROGRAM"], *arguments], check=True, capture_output=True, text=True,
        env={"PATH": os.environ["PATH"], "IFTTT_HOME": os.environ["IFTTT_HOME"]}).stdout


def on_config(config):
    version = program("--version").strip()
    config.copyright = f"{version}. MIT license. IFTTT is a trademark of its owner; this is not an official IFTTT product."
    return config


def on_files(files, config):
    made.clear()
    markdown = documents(ROOT)
    commands = CommandPages(program("help", "--json"), program("help", "exit-codes"))
    made.update(commands.pages)
    made.update(ManPages(ROOT / "man", commands).pages)
    targets = link_targets(ROOT, markdown)
    linked = FilePages(ROOT, [target for target in targets if not target.endswith(PICTURES)])
    for path in markdown:
        text = commands.with_links(path, linked.with_links(path, (ROOT / path).read_text(encoding="utf-8")))
        files.append(File.generated(config, path, content=text))
    for path in targets:
        if path.endswith(PICTURES):
            files.append(File.generated(config, path, content=(ROOT / path).read_bytes()))
    for path, text in linked.pages.items():
        files.append(File.generated(config, path, content=text))
    for path, page in made.items():
        files.append(File.generated(config, path, content=page.source))
    config.nav = navigation(config.nav, set(files.src_uris), commands.navigation)
    return files


def navigation(entries, present, commands):
    """The configured navigation with the pages of the commands, and without documents that do not exist."""
    result = []
    for entry in entries:
        [(title, target)] = entry.items()
        if isinstance(target, list):
            result.append({title: navigation(target, present, commands)})
        elif target == COMMANDS:
            result.append({title: commands})
        elif target in present:
            result.append({title: target})
    return result


def on_page_markdown(markdown, page, config, files):
    # A section with one page needs no list of its pages.
    if page.is_homepage:
        page.meta["hide"] = ["navigation"]
    if page.file.src_uri in FOR_DEVELOPERS or page.file.src_uri.startswith("docs/api/"):
        page.meta["search"] = {"boost": 0.5}
    return markdown


def on_page_content(html, page, config, files):
    if ready := made.get(page.file.src_uri):
        page.toc = get_toc(ready.contents)
        return ready.html
    # A picture can be opened at its full size.
    return re.sub(r'<img [^>]*src="([^"]+)"[^>]*>', r'<a class="picture" href="\1">\g<0></a>', html)


def on_post_page(output, page, config):
    # The theme writes an attribute without its value, which is not valid.
    return output.replace(' tabindex=""', ' tabindex="0"')


def on_post_build(config):
    site = Path(config.site_dir)
    if not config.site_url:
        for name in ("404.html", "sitemap.xml", "sitemap.xml.gz"):
            (site / name).unlink(missing_ok=True)
    # Source maps and the languages of the search other than English are never read.
    for path in sorted(site.glob("assets/**/*.map")):
        path.unlink()
    for path in sorted(site.glob("assets/javascripts/lunr/**/*.js")):
        path.unlink()
    for path in sorted([*site.glob("assets/**/*.js"), *site.glob("assets/**/*.css")]):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\n?(//|/\*)# sourceMappingURL=\S+(?: ?\*/)?", "", text), encoding="utf-8")
