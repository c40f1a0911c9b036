# What the clients in Ruby do alike: the browser's part, and what is expected.
require 'net/http'
require 'uri'

REDIRECT_URI = 'http://127.0.0.1:8912/callback'

# Opens the URL as a browser would, and returns the code that it is sent to the client with.
def browse(url)
  answer = Net::HTTP.get_response(URI(url))
  abort "failed: #{answer.code} #{answer.body}" unless answer['Location']
  URI.decode_www_form(URI(answer['Location']).query).to_h.fetch('code')
end

def expect(condition, what)
  abort "failed: #{what}" unless condition
  puts "ok: #{what}"
end
