/// The files of a plugin's repository beside its program: what Git ignores, a README, and a workflow for GitHub Actions that
/// publishes a release.
extension PluginTemplate {
  var repository: [File] {
    [
      File(path: ".gitignore", text: ignored), File(path: "README.md", text: readme),
      File(path: ".github/workflows/release.yml", text: named(Self.workflow(jobs))),
    ]
  }

  private var ignored: String {
    let own =
      switch language {
      case .sh: ""
      case .python: "__pycache__/\n"
      case .javascript: "node_modules/\n"
      case .go: "/plugin/\n"
      case .swift: "/.build/\n/plugin/\n"
      }
    return own + "*.tar.gz\n*.tar.gz.sig\nSHA256SUMS\n"
  }

  private var needsPackage: Bool { language == .swift && kind != .command }

  private var readme: String {
    let folder = isCompiled ? "plugin" : "."
    let build = isCompiled ? "./make-plugin                # builds it into plugin/\n" : ""
    let package =
      needsPackage
      ? """

      The library `PluginProtocol` is part of the package of ifttt. `IFTTT_PACKAGE` names a checkout of its repository, or its
      URL; without it, the checkout is `../ifttt`. For the workflow, set the variable `IFTTT_PACKAGE` of the repository to the
      URL.

      """ : ""
    let use = kind == .provider ? "ifttt connections list --provider @NAME@" : "ifttt @NAME@ --help"
    return named(
      #"""
      # ifttt-@NAME@

      A plugin for `ifttt`, the command-line tool for IFTTT Connections.

      ```sh
      \#(build)ifttt plugin link \#(folder)
      \#(use)
      ifttt plugin test \#(folder)
      ```
      \#(package)
      ## Release

      Set the new version in `plugin.json`\#(kind == .command ? "" : " and in the program, which reports it"). Run the tests, commit, and push a tag:

      ```sh
      git tag v0.1.0
      git push origin v0.1.0
      ```

      The workflow in `.github/workflows/release.yml` publishes \#(isCompiled ? "an archive for each platform" : "an archive") and `SHA256SUMS`. Users install the archive:

      ```sh
      ifttt plugin install https://github.com/OWNER/ifttt-@NAME@/releases/download/v0.1.0/@NAME@-0.1.0-\#(isCompiled ? "PLATFORM" : "any").tar.gz
      ```

      """#)
  }

  // MARK: The workflow

  private static func workflow(_ jobs: String) -> String {
    #"""
    # Publishes a release for a tag such as v0.1.0.
    name: release
    on:
      push:
        tags: ['v*']

    permissions:
      contents: read

    defaults:
      run:
        shell: bash

    jobs:

    """# + jobs
  }

  private var jobs: String {
    switch language {
    case .sh, .python, .javascript:
      Self.job(
        packaging: #"""
          git archive --format=tar.gz --prefix=@NAME@/ --output="dist/@NAME@-${GITHUB_REF_NAME#v}-any.tar.gz" HEAD

          """#)
    case .go:
      Self.job(
        packaging: #"""
          for platform in linux-x86_64/linux/amd64 linux-aarch64/linux/arm64 macos-x86_64/darwin/amd64 macos-arm64/darwin/arm64; do
            IFS=/ read -r name system architecture <<<"$platform"
            rm -rf plugin
            GOOS="$system" GOARCH="$architecture" ./make-plugin
            tar -czf "dist/@NAME@-${GITHUB_REF_NAME#v}-$name.tar.gz" -C plugin .
          done

          """#)
    case .swift: swiftJobs
    }
  }

  private static let checkout = #"""
          - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
            with:
              persist-credentials: false
          - name: Check that the tag is the version
            run: test "v$(jq -er .version plugin.json)" = "$GITHUB_REF_NAME"

    """#

  private static let publish = #"""
          - name: Publish
            env:
              GH_TOKEN: ${{ github.token }}
            run: |
              (cd dist && sha256sum -- *.tar.gz >SHA256SUMS)
              gh release create "$GITHUB_REF_NAME" dist/* --repo "$GITHUB_REPOSITORY" --verify-tag --generate-notes

    """#

  /// One job that makes and publishes the archives.
  private static func job(packaging script: String) -> String {
    let lines = script.split(separator: "\n").map { "          \($0)\n" }.joined()
    return #"""
        release:
          runs-on: ubuntu-24.04
          timeout-minutes: 15
          permissions:
            # Creates the release.
            contents: write
          steps:

      """# + checkout + #"""
              - name: Package
                run: |
                  mkdir dist

        """# + lines + publish
  }

  /// Swift is built on each platform.
  private var swiftJobs: String {
    let package = needsPackage ? "          IFTTT_PACKAGE: ${{ vars.IFTTT_PACKAGE }}\n" : ""
    return #"""
        build:
          strategy:
            matrix:
              include:
                - { platform: linux-x86_64, runner: ubuntu-24.04, options: --static-swift-stdlib }
                - { platform: linux-aarch64, runner: ubuntu-24.04-arm, options: --static-swift-stdlib }
                - { platform: macos-arm64, runner: macos-26, options: '' }
          runs-on: ${{ matrix.runner }}
          timeout-minutes: 60
          steps:

      """# + Self.checkout + #"""
              - name: Package
                env:
                  PLATFORM: ${{ matrix.platform }}
                  OPTIONS: ${{ matrix.options }}

        """# + package + #"""
                  run: |
                    mkdir dist
                    ./make-plugin $OPTIONS
                    tar -czf "dist/@NAME@-${GITHUB_REF_NAME#v}-$PLATFORM.tar.gz" -C plugin .
                - uses: actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0
                  with:
                    name: ${{ matrix.platform }}
                    path: dist/
                    if-no-files-found: error

            publish:
              needs: build
              runs-on: ubuntu-24.04
              timeout-minutes: 15
              permissions:
                # Creates the release.
                contents: write
              steps:
                - uses: actions/download-artifact@37930b1c2abaa49bbe596cd826c3c89aef350131 # v7.0.0
                  with:
                    path: dist
                    merge-multiple: true

          """# + Self.publish
  }
}
