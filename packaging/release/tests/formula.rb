# Runs the `test` block of a formula on an installed program, with the part of Homebrew's language that the formula uses:
# ruby formula.rb FORMULA PREFIX SCRATCH
require "open3"
require "pathname"

class Formula
  class << self
    attr_reader :facts, :test_block

    [:desc, :homepage, :url, :sha256, :license, :head, :depends_on, :uses_from_macos].each do |name|
      define_method(name) { |*values, **options| ((@facts ||= {})[name] ||= []) << [*values, options] }
    end

    def on_linux = yield

    def test(&block) = @test_block = block
  end

  def initialize(prefix, scratch) = (@prefix, @scratch = Pathname(prefix), Pathname(scratch))

  def bin = @prefix/"bin"
  def man1 = @prefix/"share/man/man1"
  def testpath = @scratch
  def version = self.class.facts[:url][0][0][/v(\d[^\/]*)/, 1]
  def build = Struct.new(:head?).new(false)

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

load ARGV[0]
Ifttt.new(ARGV[1], ARGV[2]).instance_exec(&Ifttt.test_block)
Ifttt.facts.each { |name, values| values.each { |value| puts "#{name} #{value.inspect}" } }
