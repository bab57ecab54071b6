# A key and a certificate for localhost, which signs itself: its text is also the caBundle of the configuration.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -keyout tls.key -out tls.crt \
  -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1
