# The formula of a release. The version and the hashes are placeholders: packaging/release/source writes a filled copy,
# dist/ifttt.rb, for the tap. From a checkout, `brew install --HEAD packaging/homebrew/ifttt.rb` builds the newest commit.
class Ifttt < Formula
  desc "Command-line tool for IFTTT's Connect API"
  homepage "https://github.com/OWNER/ifttt"
  version "0.0.0"
  license "MIT"

  stable do
    on_macos do
      # Also on Intel, since a formula must have an archive. The method `install` rejects Intel.
      url "https://github.com/OWNER/ifttt/releases/download/v0.0.0/ifttt-0.0.0-macos-arm64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"

      depends_on macos: :ventura
    end

    # The program opens libcurl and OpenSSL of the system.
    on_linux do
      on_intel do
        url "https://github.com/OWNER/ifttt/releases/download/v0.0.0/ifttt-0.0.0-linux-x86_64.tar.gz"
        sha256 "0000000000000000000000000000000000000000000000000000000000000000"
      end
      on_arm do
        url "https://github.com/OWNER/ifttt/releases/download/v0.0.0/ifttt-0.0.0-linux-aarch64.tar.gz"
        sha256 "0000000000000000000000000000000000000000000000000000000000000000"
      end
    end
  end

  head do
    url "https://github.com/OWNER/ifttt.git", branch: "main"

    # Xcode 26 has Swift 6.2, the oldest compiler that the package accepts. It requires macOS 15.6.
    depends_on xcode: ["26.0", :build]

    # macOS has these libraries; elsewhere they come from Homebrew.
    uses_from_macos "swift" => :build
    uses_from_macos "curl"
    uses_from_macos "expat"
    uses_from_macos "sqlite"
    uses_from_macos "zlib"

    on_linux do
      depends_on "pkgconf" => :build
      # The program loads its libcrypto for encryption.
      depends_on "openssl@3"
    end
  end

  def install
    if build.head?
      # Homebrew builds in a sandbox of its own, in which SwiftPM cannot start another one.
      arguments = ["--disable-sandbox"]
      # The program opens libcurl and libcrypto when it first needs them. Without this, it would not search Homebrew's
      # libraries.
      arguments += ["-Xlinker", "-rpath", "-Xlinker", HOMEBREW_PREFIX/"lib"] if OS.linux?
      system "script/build", *arguments
      # The same files as script/install.
      prefix.install Dir[".build/stage/*"]
      return
    end

    if OS.mac? && Hardware::CPU.intel?
      odie "There is no release for Intel Macs. Build the program from source: brew install --HEAD #{full_name}"
    end
    # Homebrew does what install.sh would do.
    prefix.install "bin", "libexec", "share"
  end

  test do
    ENV["IFTTT_HOME"] = (testpath/"home").to_s
    ENV["IFTTT_PROFILE"] = "sandbox"
    assert_match "ifttt #{version}", shell_output("#{bin}/ifttt --version") unless build.head?
    connections = shell_output("#{bin}/ifttt connections list --status enabled --fields id --output tsv --no-header")
    assert_includes connections.lines(chomp: true), "Kd7Rn2Qx"
    assert_match "disabled", shell_output("#{bin}/ifttt connections disable Kd7Rn2Qx --json")
    # The bundled plugin is beside the program.
    assert_match "bundled", shell_output("#{bin}/ifttt plugin show grab --fields status --output tsv --no-header")
    assert_path_exists man1/"ifttt.1"
  end
end
