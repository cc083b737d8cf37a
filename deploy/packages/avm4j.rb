# A Homebrew formula for the avm command, for a tap of ours. Not tried: there was no Homebrew to try it with.
# A release replaces VERSION and the checksums by those of its SHA256SUMS.
class Avm4j < Formula
  desc "Online kernel learning on streams, from the command-line"
  homepage "https://github.com/avm4j/avm4j"
  version "VERSION"
  license "Apache-2.0"

  on_macos do
    depends_on arch: :arm64
    url "https://github.com/avm4j/avm4j/releases/download/v#{version}/avm4j-#{version}-macos-arm64.tar.gz"
    sha256 "SHA256_OF_MACOS_ARM64"
  end
  on_linux do
    url "https://github.com/avm4j/avm4j/releases/download/v#{version}/avm4j-#{version}-linux-x64.tar.gz"
    sha256 "SHA256_OF_LINUX_X64"
  end

  def install
    bash_completion.install "completions/avm.bash" => "avm"
    man1.install Dir["man/man1/*.1"]
    # Moved as a whole, so that times stay: Java compares those of the jars with its class archive.
    libexec.install Dir["*"]
    bin.install_symlink libexec/"bin/avm"
  end

  test do
    assert_match "avm with default settings", shell_output("#{bin}/avm demo")
  end
end
