# Reads a formula with the part of Homebrew's language that it uses:
#
#   ruby formula.rb FORMULA facts SYSTEM MACHINE INSTALLS   prints as JSON what the formula says where uname prints these, and what
#                                                           its method `install` does: for a release, for head, or nothing
#   ruby formula.rb FORMULA test PREFIX SCRATCH             runs its `test` block on an installed program
require "json"
require "open3"
require "pathname"

PATH, COMMAND, FIRST, SECOND, INSTALLS = ARGV
HOMEBREW_PREFIX = Pathname("/home/linuxbrew/.linuxbrew")
SYSTEM, MACHINE = COMMAND == "facts" ? [FIRST, SECOND] : ["Linux", "x86_64"]

module OS
  def self.mac? = SYSTEM == "Darwin"
  def self.linux? = SYSTEM == "Linux"
end

module Hardware
  module CPU
    def self.intel? = MACHINE == "x86_64"
  end
end

class Formula
  FACTS = { "stable" => {}, "head" => {} }

  class << self
    attr_reader :test_block

    # The part of the formula that a fact belongs to. Outside of `head`, that is the release.
    def part = @part || "stable"

    [:desc, :homepage, :url, :sha256, :license, :depends_on, :uses_from_macos].each do |name|
      define_method(name) do |*values, **options|
        # Options of a source, such as a branch, are no facts of a release.
        value = values.empty? || [:depends_on, :uses_from_macos].include?(name) && !options.empty? ? options : values[0]
        (FACTS[part][name.to_s] ||= []) << value
      end
    end

    def version(text) = FACTS["version"] = text
    def stable = yield
    def on_macos = OS.mac? && yield
    def on_linux = OS.linux? && yield
    def on_intel = Hardware::CPU.intel? && yield
    def on_arm = !Hardware::CPU.intel? && yield

    def head
      @part = "head"
      yield
      @part = nil
    end

    def test(&block) = @test_block = block
  end

  class Prefix
    def install(*names) = FACTS["installed"] += names.flatten
  end

  # What stops an installation.
  Refusal = Class.new(StandardError)

  def initialize(prefix, scratch) = (@prefix, @scratch = Pathname(prefix), Pathname(scratch))

  def prefix = Prefix.new
  def full_name = "octo/tap/ifttt"
  def bin = @prefix/"bin"
  def man1 = @prefix/"share/man/man1"
  def testpath = @scratch
  def version = FACTS["version"]
  def build = Struct.new(:head?).new(INSTALLS == "head")
  def system(*words) = FACTS["commands"] << words.map(&:to_s)
  def odie(text) = raise(Refusal, text)

  def shell_output(command)
    output, status = Open3.capture2(command)
    raise "#{command}: #{status}" unless status.success?

    output
  end

  def assert_match(pattern, text) = assert(text.include?(pattern), "#{pattern} in #{text}")
  def assert_includes(list, item) = assert(list.include?(item), "#{item} in #{list}")
  def assert_path_exists(path) = assert(path.exist?, "#{path} exists")

  def assert(holds, claim)
    raise "not true: #{claim}" unless holds
  end
end

# The files of a build are the pattern that names them.
def Dir.[](pattern) = [pattern]

load PATH
if COMMAND == "test"
  Ifttt.new(FIRST, SECOND).instance_exec(&Ifttt.test_block)
else
  Formula::FACTS.update("commands" => [], "installed" => [])
  begin
    Ifttt.new("/", "/").install unless INSTALLS == "nothing"
  rescue Formula::Refusal => error
    Formula::FACTS["error"] = error.message
  end
  puts JSON.generate(Formula::FACTS)
end
